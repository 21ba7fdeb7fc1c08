import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/data/empty.tsx';

/** Shown where the role does not reach. `what`: such as "API keys". */
export function NotForRole({ what }: { what: string }) {
  return (
    <Card>
      <Empty title={`Your role cannot view ${what}`}>
        Only owners and developers can. Ask an owner of your team to change your role.
      </Empty>
    </Card>
  );
}
