import {createHmac} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {definePlugin, defineWebhookCaller, jsonText} from '@orch-api/orch/sdk';

const config = {
  type: 'object',
  required: ['keyFile'],
  properties: {keyFile: {type: 'string', format: 'path', minLength: 1, description: 'File with the key that signs.'}},
} as const;

/** The same without a manifest file, a class and decorators. */
export default definePlugin({name: 'signed-webhooks', config}, [
  defineWebhookCaller({
    name: 'SignedWebhooks',
    order: 100,
    create: ({config: {keyFile}}) => {
      const key = readFileSync(keyFile);
      return {
        call(target, review, _signal, next) {
          const body = typeof review === 'string' ? review : jsonText(review);
          const signature = `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
          return next({...target, headers: {...target.headers, 'x-signature': signature}}, body);
        },
      };
    },
  }),
]);
