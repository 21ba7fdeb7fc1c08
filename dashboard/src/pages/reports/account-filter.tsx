import { TypedFilter } from '../lists/typed-filter.tsx';

interface AccountFilterProps {
  label: string;
  /** The account that '' stands for. */
  usual: string;
  value: string;
  onChange: (value: string) => void;
}

/** Names an account of the merchant's accounting program. */
export function AccountFilter({ usual, ...props }: AccountFilterProps) {
  return (
    <TypedFilter
      className="input account-filter"
      spellCheck={false}
      placeholder={usual}
      {...props}
    />
  );
}
