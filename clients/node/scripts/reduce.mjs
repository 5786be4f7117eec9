const METHODS = ['get', 'post', 'patch', 'delete'];

const withoutExamples = (value) => {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const { example, examples, ...rest } = value;
  // A field may have the name `example`; then it is a schema among `properties`.
  return Object.fromEntries(
    Object.entries(rest).map(([name, one]) => [name, name === 'properties' ? one && propertiesOf(one) : withoutExamples(one)]),
  );
};
const propertiesOf = (properties) => Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, withoutExamples(one)]));

const successOf = (responses) =>
  Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => status.startsWith('2'))
      .map(([status, { headers, ...rest }]) => [status, rest]),
  );

/** The parts of an OpenAPI document that types are made from. Addresses and the version of the service are not among them. */
export function schemasOf({ openapi, paths, components }) {
  const named = (parameter) => components.parameters[parameter.$ref?.split('/').at(-1)] ?? parameter;
  const reduced = Object.entries(paths).map(([path, operations]) => [
    path,
    Object.fromEntries(
      METHODS.flatMap((method) => {
        const operation = operations[method];
        if (!operation) return [];
        const { operationId, summary, parameters = [], requestBody, responses } = operation;
        const kept = parameters.map(named).filter((one) => one.in !== 'header');
        return [[method, { operationId, summary, parameters: kept, ...(requestBody && { requestBody }), responses: successOf(responses) }]];
      }),
    ),
  ]);
  return withoutExamples({
    openapi,
    info: { title: 'Heliograph', version: '1' },
    paths: Object.fromEntries(reduced),
    components: { schemas: components.schemas },
  });
}
