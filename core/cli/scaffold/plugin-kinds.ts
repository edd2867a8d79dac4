/** What `orch plugins new` writes, by the word after `--kind`. */
export const pluginKinds = {
  resource: 'a resource type: manifest and schema, no code',
  admission: 'an admission controller: a policy about writes',
  authenticator: 'an authenticator: who makes a request',
  authorizer: 'an authorizer: what callers may do',
  controller: 'a resource type and the controller that looks after it',
  store: 'a store: where objects are kept',
  'webhook-caller': 'a webhook caller: how services are called',
  route: 'a path outside of the resource tree',
  server: 'a server of its own, with a resource type and the plugins that it chooses',
} as const;

export type PluginKind = keyof typeof pluginKinds;
