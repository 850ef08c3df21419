import { useEffect, useState } from 'react';

/** The canvas is made in the browser only. */
export default function Home() {
  const [Character, setCharacter] = useState();
  useEffect(() => void import('./character.jsx').then((module) => setCharacter(() => module.Character)), []);
  return Character ? <Character /> : null;
}
