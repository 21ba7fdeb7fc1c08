const PIECES =
  /'(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$(\w*)\$[\s\S]*?\$\1\$|;|[^'"\-/$;]+|[\s\S]/g;

/**
 * Splits a file of SQL into its statements, each with its `;` and what stands before it; together they are the file. A semicolon
 * in a text, a comment or the body of a function ends none.
 */
export function statementsOf(sql: string): string[] {
  const statements = [''];
  for (const piece of sql.match(PIECES) ?? []) {
    statements[statements.length - 1] += piece;
    if (piece === ';') statements.push('');
  }
  const rest = statements.pop() ?? '';
  return rest.trim() === ''
    ? [...statements.slice(0, -1), (statements.at(-1) ?? '') + rest]
    : [...statements, rest];
}
