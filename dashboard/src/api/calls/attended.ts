const UNATTENDED_MS = 60_000;

let touchedAt = Date.now();

const touched = (): void => {
  touchedAt = Date.now();
};

for (const kind of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(kind, touched, { capture: true, passive: true });

/**
 * Whether somebody has touched the page within the last minute. A page refreshes without end: what it asks for while nobody is
 * there must not keep the session open.
 */
export function isAttended(): boolean {
  return Date.now() - touchedAt < UNATTENDED_MS;
}
