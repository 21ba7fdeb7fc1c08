import type { SubscribedKind } from '@recollect/sdk';
import { type Control, useWatch } from 'react-hook-form';
import { useMe } from '../../app/session.tsx';
import { CheckboxGroup } from '../../ui/fields/checkbox-group.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { kindOptions, WITHDRAWAL_KINDS } from './event-kinds.ts';
import './webhooks.css';

/** An endpoint's form values; the names are those of the API. */
export interface EndpointValues {
  url: string;
  description: string;
  event_kinds: SubscribedKind[];
}

interface EndpointFieldsProps {
  control: Control<EndpointValues>;
  /** The kinds that the endpoint has so far. */
  subscribed?: readonly string[];
}

/** The fields of an endpoint that can be set. */
export function EndpointFields({ control, subscribed = [] }: EndpointFieldsProps) {
  const { mode } = useMe();
  const where =
    mode === 'sandbox'
      ? 'Must be https. The sandbox also allows http to this machine, for example http://localhost:3000/webhooks.'
      : 'Enter an https address.';
  return (
    <>
      <TextField
        control={control}
        name="url"
        label="URL"
        type="url"
        inputMode="url"
        description={where}
        placeholder="https://example.com/webhooks"
        maxLength={2048}
        isRequired
      />
      <TextField
        control={control}
        name="description"
        label="Description"
        maxLength={200}
        isRequired={false}
      />
      <div className="event-kinds">
        <CheckboxGroup
          control={control}
          name="event_kinds"
          label="Events to send"
          rules={{
            validate: (kinds) =>
              (Array.isArray(kinds) && kinds.length > 0) || 'Choose at least one event type.',
          }}
          options={kindOptions(subscribed)}
        />
        <WithdrawalNotice control={control} />
      </div>
    </>
  );
}

/** Warns that withdrawals would go unnoticed, while the kinds that report them are not ticked. */
function WithdrawalNotice({ control }: { control: Control<EndpointValues> }) {
  const kinds = useWatch({ control, name: 'event_kinds' });
  const missing = WITHDRAWAL_KINDS.filter((kind) => !kinds.includes(kind));
  if (missing.length === 0) return null;
  return (
    <Notice tone="warning">
      Without {missing.join(' and ')}, you are not notified when a customer withdraws.
    </Notice>
  );
}
