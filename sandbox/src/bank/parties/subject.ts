/**
 * Whether two distinguished names are the same. The order of their parts is not compared: RFC 4514 writes the last part of a
 * certificate's subject first, and many tools write the first part first.
 */
export function isSameSubject(one: string, other: string): boolean {
  const parts = (name: string): string =>
    name
      .split(/\n|(?<!\\)[,+]/)
      .map((part) =>
        part.trim().replace(/^\s*([\w.]+)\s*=\s*/, (_, type) => `${type.toUpperCase()}=`),
      )
      .sort()
      .join('\n');
  return parts(one) === parts(other);
}
