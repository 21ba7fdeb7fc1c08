/** The style of the documents' pages: readable at any width and letter size, in light and dark. */
export const STYLE = `
  :root { color-scheme: light dark; --text: #1a1a1a; --back: #fff; --link: #0b57d0; --soft: #f3f4f6; --line: #d5d8dd; }
  @media (prefers-color-scheme: dark) {
    :root { --text: #e8eaed; --back: #16181c; --link: #8ab4f8; --soft: #24272d; --line: #3c4048; }
  }
  body { font: 1rem/1.6 system-ui, sans-serif; margin: 0; color: var(--text); background: var(--back); }
  body { overflow-wrap: anywhere; }
  header { border-bottom: 1px solid var(--line); padding: 0.75rem 1rem; }
  nav { max-width: 48rem; margin: 0 auto; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.25rem; }
  nav form { margin-inline-start: auto; }
  input { font: inherit; width: 10rem; color: inherit; background: none; border: 1px solid currentcolor; border-radius: 6px; }
  main { max-width: 48rem; margin: 1.5rem auto 4rem; padding: 0 1rem; }
  a { color: var(--link); }
  h1, h2, h3 { line-height: 1.25; }
  h1 { font-size: min(2rem, max(1rem, 10vw)); }
  h2 { font-size: min(1.5rem, max(1rem, 9vw)); margin-top: 2.5rem; }
  code { font: 0.9em/1.5 ui-monospace, monospace; background: var(--soft); padding: 0.1em 0.25em; border-radius: 3px; }
  pre { background: var(--soft); padding: 0.75rem 1rem; border-radius: 6px; overflow-x: auto; }
  pre code { padding: 0; }
  .wide { overflow-x: auto; overflow-wrap: break-word; }
  dt { font-weight: 600; margin-top: 1rem; }
  dd { margin: 0; }
  table { border-collapse: collapse; }
  th, td { border: 1px solid var(--line); padding: 0.35rem 0.6rem; text-align: left; vertical-align: top; }
  img { max-width: 100%; height: auto; }
`;
