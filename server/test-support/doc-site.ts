import Fastify from 'fastify';
import { addDocPages } from '../src/app/docs/doc-pages.ts';
import { addStartPage } from '../src/app/docs/start-page.ts';
import { readConfig } from '../src/platform/config/config.ts';

/** Serves the start page and the documents at `url`, and nothing else. */
export async function startDocSite(url: string): Promise<{ close(): Promise<void> }> {
  const app = Fastify();
  const config = { ...readConfig({}), baseUrl: url };
  addStartPage(app, config);
  addDocPages(app, config);
  await app.listen({ port: Number(new URL(url).port), host: '127.0.0.1' });
  return { close: () => app.close() };
}
