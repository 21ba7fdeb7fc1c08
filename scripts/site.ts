// Builds the documentation as a static site: `npm run site`, or `npm run site -- --into FOLDER` beside earlier versions.
import { join, resolve } from 'node:path';
import { program } from './arguments.ts';
import { buildSite } from './site/build.ts';

const { into } = program('site', 'Builds the documentation as a static site')
  .option('--into <folder>', 'where the versions lie, one folder each', 'dist/site')
  .parse()
  .opts<{ into: string }>();
try {
  const folder = await buildSite(resolve(into));
  console.log(`Open ${join(folder, 'index.html')}, or serve ${resolve(into)} with any web server`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
