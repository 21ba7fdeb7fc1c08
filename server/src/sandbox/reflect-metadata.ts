/**
 * The four functions of the Reflect metadata proposal that `tsyringe` (underneath `@peculiar/x509`) insists on
 * finding. Import this file before `@peculiar/x509`. Existing functions are left alone.
 */
type Metadata = Map<unknown, unknown>;
const metadataOf = new WeakMap<object, Metadata>();

function getOwnMetadata(key: unknown, target: object): unknown {
  return metadataOf.get(target)?.get(key);
}

function getMetadata(key: unknown, target: object): unknown {
  const own = getOwnMetadata(key, target);
  if (own !== undefined) return own;
  const parent: unknown = Object.getPrototypeOf(target);
  return typeof parent === 'object' || typeof parent === 'function'
    ? parent && getMetadata(key, parent)
    : undefined;
}

function defineMetadata(key: unknown, value: unknown, target: object): void {
  const metadata: Metadata = metadataOf.get(target) ?? new Map();
  metadataOf.set(target, metadata.set(key, value));
}

if (!('getMetadata' in Reflect)) {
  Object.assign(Reflect, { getOwnMetadata, getMetadata, defineMetadata });
}
