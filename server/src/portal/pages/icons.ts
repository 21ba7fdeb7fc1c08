const DRAWINGS = {
  calendar:
    '<rect x="4" y="5.5" width="16" height="14.5" rx="2.5"/><path d="M4 10h16M8.5 3v4M15.5 3v4"/>',
  shield: '<path d="M12 3 5 6v5.5c0 4.4 3 7.8 7 9.5 4-1.7 7-5.1 7-9.5V6zM9 12l2.2 2.2L15.2 10"/>',
  stop: '<circle cx="12" cy="12" r="8.5"/><path d="M9.5 9.5h5v5h-5z"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  cross: '<path d="m7 7 10 10M17 7 7 17"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>',
  alert: '<path d="M12 4.5 3 19.5h18zM12 10.5v4M12 17v.1"/>',
  business: '<path d="M4 20V9l8-5 8 5v11M4 20h16M9.5 20v-5h5v5"/>',
  swap: '<path d="M4 9h14.5M14.5 5l4 4-4 4M20 15H5.5M9.5 11.5l-4 3.5 4 4"/>',
  lock: '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
} as const;

export type IconName = keyof typeof DRAWINGS;

/** Returns a line drawing that screen readers skip. */
export function icon(name: IconName): string {
  return `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${DRAWINGS[name]}</svg>`;
}
