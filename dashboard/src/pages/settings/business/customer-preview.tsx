import type { Merchant } from '@recollect/sdk';
import { useBranding } from '../../../api/branding.ts';
import { Card } from '../../../ui/card.tsx';
import { MerchantMark } from './merchant-mark.tsx';

/** What a customer reads about the business. */
export type Details = Pick<
  Merchant,
  'name' | 'legal_name' | 'email' | 'website' | 'address' | 'terms'
>;

interface Fact {
  label: string;
  text: string | undefined;
}

/** The part of the customer's page about the business, as it would currently read. */
export function CustomerPreview({ details }: { details: Partial<Details> }) {
  const { name = '', legal_name, address, email, website, terms = '' } = details;
  const { data: look } = useBranding();
  const facts: Fact[] = [
    { label: 'Business', text: legal_name?.trim() === '' ? name : legal_name },
    { label: 'Address', text: address },
    { label: 'Email', text: email },
    { label: 'Website', text: website },
  ];
  return (
    <div className="preview-place">
      <Card title="What your customers see">
        <div className="preview">
          <div className="preview-head">
            <MerchantMark
              name={name}
              look={{ colour: look?.colour ?? null, logo: look?.logo_url ?? null }}
            />
            <p>
              <strong>{name}</strong>
              <span className="quiet">asks you to agree to a regular payment</span>
            </p>
          </div>
          <dl className="preview-facts">
            {facts
              .filter(({ text }) => text !== undefined && text.trim() !== '')
              .map(({ label, text }) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
          </dl>
          <p className="preview-heading">Terms and conditions of {name}</p>
          {terms.trim() === '' ? (
            <p className="quiet small">None: customers see no terms from you.</p>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
            <div className="preview-terms" tabIndex={0}>
              {terms}
            </div>
          )}
        </div>
      </Card>
    </div>
  );
}
