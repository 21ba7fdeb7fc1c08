// Before the first paint: the look that was chosen, where one was.
try {
  const chosen = localStorage.getItem('recollect.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // No storage: the system's look it is.
}
