import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import type { ListedBank } from '../aggregator.ts';
import { BankDefect } from '../bank.ts';
import type { CallTrueLayer } from './client.ts';
import { RELEASE_CHANNELS, type TrueLayerConfig } from './config.ts';
import { sentenceOf } from './problems.ts';

const Text = Type.String({ minLength: 1 });
const Providers = Type.Object({
  items: Type.Array(
    Type.Object({
      id: Text,
      display_name: Text,
      capabilities: Type.Object({
        mandates: Type.Optional(
          Type.Object({
            vrp_commercial: Type.Optional(
              Type.Object({
                release_channel: Text,
                availability: Type.Optional(
                  Type.Object({ recommended_status: Type.Optional(Text) }),
                ),
                use_cases: Type.Optional(Type.Array(Text)),
              }),
            ),
          }),
        ),
      }),
    }),
  ),
});
type Provider = Static<typeof Providers>['items'][number];

/** Reads the list of banks that are open to us. */
export const readProviders = (json: unknown): Provider[] => Value.Parse(Providers, json).items;

/** POST `/payments-providers/search`: the banks with commercial mandates, in the order of their names. */
export async function listBanks(
  call: CallTrueLayer,
  config: TrueLayerConfig,
): Promise<ListedBank[]> {
  const body = {
    countries: ['GB'],
    currencies: ['GBP'],
    release_channel: config.releaseChannel,
    capabilities: { mandates: { vrp_commercial: {} } },
  };
  const path = '/payments-providers/search';
  const answer = await call({ method: 'POST', path, body }, readProviders);
  if (answer.kind === 'refused')
    throw new BankDefect(sentenceOf(answer.refusal), answer.refusal.title);
  return answer.value
    .map((one) => ({ id: one.id, name: one.display_name, isOpen: isOpen(config, one) }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** Whether a bank takes commercial mandates for our use case, is proven enough, and is not said to be ill. */
function isOpen({ useCase, releaseChannel }: TrueLayerConfig, { capabilities }: Provider): boolean {
  const commercial = capabilities.mandates?.vrp_commercial;
  if (commercial === undefined) return false;
  const channels: readonly string[] = RELEASE_CHANNELS;
  const rank = channels.indexOf(commercial.release_channel);
  return (
    rank >= 0 &&
    rank <= channels.indexOf(releaseChannel) &&
    (commercial.use_cases ?? []).includes(useCase) &&
    commercial.availability?.recommended_status !== 'unhealthy'
  );
}
