/** The logo of the service, as on the customers' pages. */
export function Logo() {
  return (
    <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M9.5 16a6.5 6.5 0 0 1 11.6-4M22.5 16a6.5 6.5 0 0 1-11.6 4M21.6 7.5V12h-4.5M10.4 24.5V20h4.5" />
    </svg>
  );
}
