import { Outlet, Scripts } from 'react-router';

export default function Root() {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <title>isoskin with React Router</title>
      </head>
      <body style={{ margin: 0, height: '100vh' }}>
        <Outlet />
        <Scripts />
      </body>
    </html>
  );
}
