declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface SentRequest {
    body?: string;
    headers: Record<string, string>;
  }

  interface Options {
    url: string;
    method: 'GET' | 'POST';
    connections: number;
    duration: number;
    headers: Record<string, string>;
    requests: { setupRequest?: (request: SentRequest) => SentRequest }[];
  }

  interface Result {
    /** Seconds. */
    duration: number;
    '2xx': number;
    non2xx: number;
    errors: number;
  }

  type Instance = EventEmitter & Promise<Result> & { stop(): void };

  // biome-ignore lint/style/noDefaultExport: this is how the library is had
  export default function autocannon(options: Options): Instance;
}
