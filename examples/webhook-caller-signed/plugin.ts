import {createHmac} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {
  inject,
  jsonText,
  Tokens,
  webhookCaller,
  type ChainedWebhookCaller,
  type JsonObject,
  type NextWebhookCaller,
  type WebhookTarget,
} from '@orch-api/orch/sdk';

/** Has reviews sent with the header `X-Signature: sha256=…`, the HMAC of the body. How they are sent is left to the callers behind it. */
@webhookCaller({order: 100})
export class SignedWebhooks implements ChainedWebhookCaller {
  readonly #key: Buffer;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>) {
    this.#key = readFileSync(config['keyFile'] as string);
  }

  call(target: WebhookTarget, review: object | string, _signal: AbortSignal | undefined, next: NextWebhookCaller): Promise<JsonObject> {
    // A text is sent as it is, so that the signature is that of the bytes.
    const body = typeof review === 'string' ? review : jsonText(review);
    const signature = `sha256=${createHmac('sha256', this.#key).update(body).digest('hex')}`;
    return next({...target, headers: {...target.headers, 'x-signature': signature}}, body);
  }
}
