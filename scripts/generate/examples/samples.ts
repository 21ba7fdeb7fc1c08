import { sdkMethods } from '../../../sdk/test-support/methods.ts';
import {
  type CodeSample,
  type ExampleStep,
  type Examples,
  filled,
  firstSteps,
} from '../../../server/src/platform/http/openapi/examples.ts';
import { type ClientOperation, resourcesOf } from '../clients/operations.ts';
import { named, snake } from '../clients/python.ts';
import type { ApiDocument } from '../sdk-types.ts';
import { JSON_TEXT, type Notation, PHP, PYTHON, TYPESCRIPT, written } from './literals.ts';
import { addressOf } from './walk.ts';

/** A request, as a program sends it. */
interface Sent {
  readonly operation: ClientOperation;
  /** The resource of the client: `webhookEndpoints`. */
  readonly resource: string;
  readonly operationId: string;
  readonly places: readonly string[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  /** Below the service's, with the query. */
  readonly address: string;
}

/** Methods of the SDK whose arguments are not those of the route: shorter ones, for what nearly everybody sends. */
const OWN_ARGUMENTS: Readonly<Record<string, (sent: Sent) => unknown[]>> = {
  importSchedules: ({ body }) => [body?.csv],
  exportCustomer: ({ places, query }) => [...places, query.reason],
};

/** Writes the arguments of a call; the last may break into lines. */
const argumentsOf = (values: readonly unknown[], notation: Notation, before: number): string =>
  values
    .map((value, at) => written(value, notation, '', at === values.length - 1 ? before : 0))
    .join(', ');

const isEmpty = (record: object): boolean => Object.keys(record).length === 0;

function typescript(sent: Sent): string {
  const { operation, resource, operationId, places, query, body } = sent;
  const values = OWN_ARGUMENTS[operationId]?.(sent) ?? [
    ...places,
    ...(body === undefined ? [] : [body]),
    ...(isEmpty(query) ? [] : [query]),
  ];
  const call = `recollect.${resource}.${operation.method}`;
  const given = argumentsOf(values, TYPESCRIPT, `const result = await ${call}();`.length);
  return `import { Recollect } from '@recollect/sdk';

const recollect = new Recollect({
  apiKey: process.env.RECOLLECT_API_KEY ?? '',
  baseUrl: process.env.RECOLLECT_URL ?? '',
});

const result = await ${call}(${given});
console.log(result);
`;
}

function python({ operation, resource, places, query, body }: Sent): string {
  const call = `client.${snake(resource)}.${named(snake(operation.method))}`;
  const values = [...places, ...(body === undefined ? [] : [body])];
  const filters = Object.entries(query).map(
    ([name, value]) => `${named(name)}=${written(value, PYTHON)}`,
  );
  const given = [
    ...(values.length === 0 ? [] : [argumentsOf(values, PYTHON, `result = ${call}()`.length)]),
    ...filters,
  ];
  return `import os

from recollect import Recollect

client = Recollect(
    api_key=os.environ["RECOLLECT_API_KEY"],
    base_url=os.environ["RECOLLECT_URL"],
)

result = ${call}(${given.join(', ')})
print(result)
`;
}

function php({ operation, resource, places, query, body }: Sent): string {
  const call = `$recollect->${resource}->${operation.method}`;
  const values = [
    ...places,
    ...(body === undefined ? [] : [body]),
    ...(isEmpty(query) ? [] : [query]),
  ];
  const given = argumentsOf(values, PHP, `$result = ${call}();`.length);
  return `<?php

require 'vendor/autoload.php';

$recollect = new Recollect\\Recollect(
    apiKey: getenv('RECOLLECT_API_KEY'),
    baseUrl: getenv('RECOLLECT_URL'),
);

$result = ${call}(${given});
var_dump($result);
`;
}

const json = (body: unknown): string => written(body, JSON_TEXT);

function curl({ operation, address, body }: Sent): string {
  const { verb, takesKey } = operation;
  return [
    `curl ${verb === 'GET' ? '' : `-X ${verb} `}"$RECOLLECT_URL${address}"`,
    '-H "Authorization: Bearer $RECOLLECT_API_KEY"',
    ...(takesKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined ? [] : [`--json '${json(body).replaceAll("'", "'\\''")}'`]),
  ].join(' \\\n  ');
}

const indented = (text: string, indent: string): string => text.replaceAll(/^(?=.)/gm, indent);

function go({ operation, address, body }: Sent): string {
  const { verb, takesKey } = operation;
  const imports = [
    ...(takesKey ? ['crypto/rand'] : []),
    'fmt',
    'io',
    'net/http',
    'os',
    ...(body === undefined ? [] : ['strings']),
  ];
  const reader = body === undefined ? 'nil' : `strings.NewReader(\`${json(body)}\`)`;
  const headers = [
    'request.Header.Set("Authorization", "Bearer "+os.Getenv("RECOLLECT_API_KEY"))',
    ...(body === undefined ? [] : ['request.Header.Set("Content-Type", "application/json")']),
    ...(takesKey ? ['request.Header.Set("Idempotency-Key", rand.Text())'] : []),
  ];
  return `package main

import (
${imports.map((name) => `\t"${name}"\n`).join('')})

func main() {
	request, err := http.NewRequest("${verb}", os.Getenv("RECOLLECT_URL")+"${address}", ${reader})
	if err != nil {
		panic(err)
	}
${headers.map((line) => `\t${line}\n`).join('')}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		panic(err)
	}
	fmt.Println(response.StatusCode, string(answer))
}
`;
}

function java({ operation, address, body }: Sent): string {
  const { verb, takesKey } = operation;
  const block = `"""\n${indented(json(body ?? {}).replaceAll('\\', '\\\\'), ' '.repeat(12))}"""`;
  const publisher =
    body === undefined ? 'BodyPublishers.noBody()' : `BodyPublishers.ofString(${block})`;
  const headers = [
    '.header("Authorization", "Bearer " + System.getenv("RECOLLECT_API_KEY"))',
    ...(body === undefined ? [] : ['.header("Content-Type", "application/json")']),
    ...(takesKey ? ['.header("Idempotency-Key", UUID.randomUUID().toString())'] : []),
    `.method("${verb}", ${publisher})`,
    '.build();',
  ];
  return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
${takesKey ? 'import java.util.UUID;\n' : ''}
public class Main {
    public static void main(String[] args) throws Exception {
        var uri = URI.create(System.getenv("RECOLLECT_URL") + "${address}");
        var request = HttpRequest.newBuilder(uri)
${headers.map((line) => `            ${line}`).join('\n')}
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
`;
}

function csharp({ operation, address, body }: Sent): string {
  const { verb, takesKey } = operation;
  const method = verb.charAt(0) + verb.slice(1).toLowerCase();
  const text = indented(json(body ?? {}), '    ');
  return [
    ...(body === undefined ? [] : ['using System.Text;', '']),
    'string? Setting(string name) => Environment.GetEnvironmentVariable(name);',
    `var url = Setting("RECOLLECT_URL") + "${address}";`,
    `var request = new HttpRequestMessage(HttpMethod.${method}, url);`,
    'request.Headers.Add("Authorization", "Bearer " + Setting("RECOLLECT_API_KEY"));',
    ...(takesKey ? ['request.Headers.Add("Idempotency-Key", Guid.NewGuid().ToString());'] : []),
    ...(body === undefined
      ? []
      : [
          'request.Content = new StringContent("""',
          text,
          '    """, Encoding.UTF8, "application/json");',
        ]),
    'using var client = new HttpClient();',
    'var response = await client.SendAsync(request);',
    'Console.WriteLine((int)response.StatusCode);',
    'Console.WriteLine(await response.Content.ReadAsStringAsync());',
  ].join('\n');
}

/** The languages of the samples, in the order in which they are shown. `lang` is what highlights them. */
const LANGUAGES: readonly [lang: string, label: string, write: (sent: Sent) => string][] = [
  ['shell', 'curl', curl],
  ['typescript', 'TypeScript', typescript],
  ['python', 'Python', python],
  ['php', 'PHP', php],
  ['go', 'Go', go],
  ['java', 'Java', java],
  ['csharp', 'C#', csharp],
];

function sentIn(
  step: ExampleStep,
  variables: Examples['variables'],
  operation: ClientOperation,
  resource: string,
): Sent {
  const path: Record<string, string> = filled(step.path ?? {}, variables);
  return {
    operation,
    resource,
    operationId: step.operationId,
    places: operation.places.map((name) => path[name] ?? ''),
    query: step.query ?? {},
    body: filled(step.body, variables) as Sent['body'],
    address: addressOf(operation.path, step, variables),
  };
}

/** Returns programs in each language that send the example request of each operation. */
export async function codeSamples(
  document: ApiDocument,
  life: Pick<Examples, 'chapters' | 'variables'>,
): Promise<Record<string, CodeSample[]>> {
  const operations = resourcesOf(document, await sdkMethods()).flatMap(({ name, operations }) =>
    operations.map((operation) => [name, operation] as const),
  );
  const steps = firstSteps(life);
  const samples: Record<string, CodeSample[]> = {};
  for (const [resource, operation] of operations) {
    const { operationId = '' } =
      document.paths[operation.path]?.[operation.verb.toLowerCase()] ?? {};
    const step = steps.get(operationId);
    if (step === undefined) continue;
    const sent = sentIn(step, life.variables, operation, resource);
    samples[operationId] = LANGUAGES.map(([lang, label, write]) => ({
      lang,
      label,
      source: write(sent).trimEnd(),
    }));
  }
  return samples;
}
