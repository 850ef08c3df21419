export const metadata = { title: 'isoskin with Next.js' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body style={{ margin: 0, height: '100vh' }}>{children}</body>
    </html>
  );
}
