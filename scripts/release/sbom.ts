import { createHash } from 'node:crypto';
import type { Carried } from './packages.ts';

/** What an SBOM is about. */
export interface Described {
  /** The name of the artefact: `recollect-sandbox`. */
  name: string;
  version: string;
  /** The moment of the commit, in seconds since 1970. */
  seconds: number;
  packages: readonly Carried[];
  /** What the artefact has besides packages of npm: the image it is built on. */
  others?: readonly Component[];
}

interface Component {
  type: string;
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  hashes?: readonly { alg: string; content: string }[];
  licenses?: readonly object[];
}

const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** Returns a licence as CycloneDX writes it: an identifier, or an expression of several. */
const licenceOf = (license: string): object =>
  /[ ()]/.test(license) ? { expression: license } : { license: { id: license } };

function componentOf({ path, name, version, license, integrity }: Carried): Component {
  const sha512 = integrity === null ? null : /^sha512-(\S+)/.exec(integrity)?.[1];
  return {
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl: purlOf(name, version),
    ...(sha512 === null || sha512 === undefined
      ? {}
      : { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    licenses: [licenceOf(license)],
  };
}

/** Returns the image that an image is built on as a component, from its reference with a digest. */
export function imageComponent(reference: string): Component {
  const [, name = '', tag = '', digest = ''] =
    /^(?:.*\/)?([^/:]+):([^@]+)@sha256:(\w+)$/.exec(reference) ?? [];
  if (digest === '') throw new Error(`${reference} is no image with a tag and a digest`);
  return {
    type: 'container',
    'bom-ref': reference,
    name,
    version: tag,
    purl: `pkg:docker/${name}@sha256%3A${digest}?tag=${tag}`,
    hashes: [{ alg: 'SHA-256', content: digest }],
  };
}

/** Returns the SBOM of an artefact as CycloneDX 1.6. Its serial number and time follow from what it says and from the commit. */
export function sbomText({ name, version, seconds, packages, others = [] }: Described): string {
  const content = {
    component: {
      type: 'application',
      'bom-ref': name,
      name,
      version,
      licenses: [licenceOf('Apache-2.0')],
    },
    components: [...packages.map(componentOf), ...others],
    dependencies: packages.map(({ path, uses }) => ({ ref: path, dependsOn: uses })),
  };
  const { component, ...rest } = content;
  const bom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    metadata: { timestamp: new Date(seconds * 1000).toISOString(), component },
    ...rest,
  };
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Returns a UUID (version 8) made of a text: the same text has the same one. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
