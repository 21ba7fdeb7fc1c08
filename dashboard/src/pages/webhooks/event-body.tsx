import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CodeBlock } from '../../ui/values/code-block.tsx';
import { pretty } from './delivery-words.ts';

/** The body of an event: formatted for reading, or exactly as it is signed and sent. */
export function EventBody({ body }: { body: string }) {
  const [isExact, setExact] = useState(false);
  return (
    <Card
      title="Body"
      lead={
        isExact
          ? 'Exactly as signed and sent.'
          : 'Formatted for reading. The signed text has no line breaks.'
      }
      actions={
        <Button variant="ghost" onPress={() => setExact(!isExact)}>
          {isExact ? 'Show formatted' : 'Show as signed'}
        </Button>
      }
    >
      <CodeBlock
        label={isExact ? 'As signed and sent' : 'JSON'}
        code={isExact ? body : pretty(body)}
      />
    </Card>
  );
}
