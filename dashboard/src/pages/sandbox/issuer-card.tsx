import type { SandboxIssuer } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { useChangeIssuer, useIssuer } from '../../api/sandbox.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { CheckboxGroup } from '../../ui/fields/checkbox-group.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { toast } from '../../ui/overlays/toast.tsx';

/** The behaviour of the sandbox's e-money issuer, and its switches. */
export function IssuerCard() {
  const issuer = useIssuer();
  return (
    <Card
      title="The e-money issuer"
      lead="Real issuers differ in small ways. Turn some on to check that nothing is lost or paid twice."
    >
      <QueryView query={issuer}>
        {(found) => <Modes key={found.modes.join()} issuer={found} />}
      </QueryView>
    </Card>
  );
}

function Modes({ issuer }: { issuer: SandboxIssuer }) {
  const form = useForm({ defaultValues: { modes: issuer.modes } });
  const change = useChangeIssuer();
  const { isSubmitting, isDirty } = form.formState;
  return (
    <Form
      form={form}
      onSubmit={async ({ modes }) => {
        await change.mutateAsync(modes);
        toast('E-money issuer updated.', 'success');
      }}
    >
      <CheckboxGroup
        control={form.control}
        name="modes"
        label="Behaviour"
        options={issuer.known.map(({ mode, summary }) => ({ value: mode, label: summary }))}
      />
      <div>
        <Button type="submit" isPending={isSubmitting} isDisabled={!isDirty}>
          Save issuer
        </Button>
      </div>
    </Form>
  );
}
