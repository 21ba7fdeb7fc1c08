// Before the first paint: the look that was chosen, where one was.
try {
  for (const name of ['theme', 'density']) {
    const chosen = localStorage.getItem(`recollect.${name}`);
    if (chosen) document.documentElement.dataset[name] = chosen;
  }
} catch {
  // No storage: it looks as nobody chose.
}
