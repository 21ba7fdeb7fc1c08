const {
  brand,
  icon = '/dashboard/icon.svg',
  logo = '',
  support = '',
  colour,
} = document.documentElement.dataset;

/** What the service is called, which it writes into the page. */
export const BRAND = brand ?? 'Recollect';
/** The colour of the customers' buttons where the merchant has none. */
export const BRAND_COLOUR = colour ?? '#0a6650';
/** Where people write to for help; empty: nowhere. */
export const SUPPORT_EMAIL = support;

/** The mark of the service: its icon. */
export function Mark() {
  return <img className="logo" src={icon} alt="" />;
}

/** The service's logo, or its mark and its name. */
export function Wordmark() {
  if (logo !== '') return <img className="logo-drawn" src={logo} alt={BRAND} />;
  return (
    <>
      <Mark /> {BRAND}
    </>
  );
}

/** Where there is help, if anywhere. */
export function Help() {
  if (SUPPORT_EMAIL === '') return null;
  return (
    <p className="small quiet">
      Help: <a href={`mailto:${SUPPORT_EMAIL}`}>{SUPPORT_EMAIL}</a>
    </p>
  );
}
