/** Returns what a person reads on the consent page: its headings, terms and facts, one line each. */
export async function portalText(url: string): Promise<string[]> {
  const html = await (await fetch(url)).text();
  const body = /<main[^>]*>([\s\S]*?)<\/main>/.exec(html)?.[1] ?? '';
  const lines = body
    .replace(/<(script|style|form|details|svg)[\s\S]*?<\/\1>/g, '')
    .replace(/<(\w+)[^>]*aria-hidden="true"[^>]*>[^<]*<\/\1>/g, '')
    .replace(/<\/(p|h\d|li|dt|dd|div|section)>/g, '\n')
    .replace(/<[^>]+>/g, ' ')
    .split('\n')
    .map((line) => decode(line).replace(/\s+/g, ' ').trim());
  return lines.filter((line) => line !== '').slice(0, 14);
}

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&pound;': '£',
};

function decode(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|pound);/g, (entity) => ENTITIES[entity] ?? entity);
}
