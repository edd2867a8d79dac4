/** Kinds of contributions that are asked one after the other, by the word after `--kind`. */
export const chainKinds = {
  admission: 'admission',
  authenticator: 'authenticator',
  authorizer: 'authorizer',
  'webhook-caller': 'webhookCaller',
  'audit-sink': 'auditSink',
} as const;

export type ChainKind = (typeof chainKinds)[keyof typeof chainKinds];
