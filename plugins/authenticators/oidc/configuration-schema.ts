const text = {type: 'string'};
const list = (items: object) => ({type: 'array', items});
const object = (properties: Record<string, object>) => ({type: 'object', properties});
const claimOrExpression = {claim: text, expression: text};
const prefixed = object({...claimOrExpression, prefix: text});

/** The structure of an `AuthenticationConfiguration`, without rules for values. */
export const configurationSchema = object({
  apiVersion: text,
  kind: text,
  jwt: list(
    object({
      issuer: object({
        url: text,
        discoveryURL: text,
        certificateAuthority: text,
        audiences: list(text),
        audienceMatchPolicy: text,
      }),
      claimValidationRules: list(object({...claimOrExpression, requiredValue: text, message: text})),
      claimMappings: object({
        username: prefixed,
        groups: prefixed,
        uid: object(claimOrExpression),
        extra: list(object({key: text, valueExpression: text})),
      }),
      userValidationRules: list(object({expression: text, message: text})),
    }),
  ),
});

/** The structure of `user` in expressions. */
export const userSchema = object({
  username: text,
  uid: text,
  groups: list(text),
  extra: {type: 'object', additionalProperties: list(text)},
});

interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

/** Places of members that a schema does not know. */
export function unknownMembers(schema: SchemaNode, value: unknown, place = ''): string[] {
  if (Array.isArray(value)) {
    return schema.items ? value.flatMap((item, index) => unknownMembers(schema.items!, item, `${place}[${index}]`)) : [];
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const at = place === '' ? name : `${place}.${name}`;
    const known = Object.hasOwn(schema.properties!, name) ? schema.properties![name] : undefined;
    return known ? unknownMembers(known, member, at) : [at];
  });
}
