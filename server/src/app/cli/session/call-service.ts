import { Recollect, RecollectConnectionError, RecollectError } from '@recollect/sdk';
import { ConfigError } from '../../../platform/config/config.ts';

/** Calls a running service. Throws ConfigError with one clear line. */
export async function callService<T>(
  { apiKey, baseUrl }: { apiKey: string; baseUrl: string },
  call: (client: Recollect) => Promise<T>,
): Promise<T> {
  try {
    return await call(new Recollect({ apiKey, baseUrl }));
  } catch (error) {
    if (error instanceof RecollectConnectionError)
      throw new ConfigError(
        error.message.includes('ECONNREFUSED')
          ? `nothing is listening at ${baseUrl}: start it with npm start`
          : `${error.message}. A change may have been made: look before you ask again`,
      );
    if (!(error instanceof RecollectError)) throw error;
    const details = Object.entries(error.details ?? {}).map((detail) => detail.join(': '));
    // With a single wrong field the message already says what is wrong with it.
    const more = details.filter((detail) => detail !== error.message);
    throw new ConfigError([error.message, ...more].join('. '));
  }
}
