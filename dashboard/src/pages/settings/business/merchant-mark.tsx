/** How a merchant looks, or would if it were saved. */
export interface BrandingPreview {
  /** Empty or null: none. */
  colour: string | null;
  /** An address, also of data; null: none. */
  logo: string | null;
}

export const isColour = (text: string | null): text is string => /^#[0-9a-f]{6}$/i.test(text ?? '');

/** Returns the style of what has the merchant's colour. */
export const colourStyle = (colour: string | null) =>
  isColour(colour) ? { background: colour, color: '#ffffff' } : undefined;

function initialOf(name: string): string {
  const [first] = new Intl.Segmenter('en-GB').segment(name.trim());
  return first?.segment.toLocaleUpperCase('en-GB') ?? '?';
}

/** The merchant's logo, or its first letter on its colour. */
export function MerchantMark({ name, look }: { name: string; look: BrandingPreview }) {
  if (look.logo !== null) return <img className="preview-logo" src={look.logo} alt="" />;
  return (
    <span className="preview-mark" style={colourStyle(look.colour)} aria-hidden="true">
      {initialOf(name)}
    </span>
  );
}
