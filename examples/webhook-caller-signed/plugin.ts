import {createHmac} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {request as httpsRequest} from 'node:https';
import {
  inject,
  jsonText,
  parseJson,
  Tokens,
  webhookCaller,
  WebhookError,
  type JsonObject,
  type WebhookCaller,
  type WebhookTarget,
} from 'orch/sdk';

/** Most bytes of an answer. */
const longestAnswer = 3 * 1024 * 1024;

/**
 * Posts reviews to URLs with the header `X-Signature: sha256=…`, the HMAC of the body. A target that is a Service of the server is refused: whoever
 * wants those too resolves them as the built-in caller does.
 */
@webhookCaller({order: 100})
export class SignedWebhooks implements WebhookCaller {
  readonly #key: Buffer;

  constructor(@inject(Tokens.Config) config: Readonly<Record<string, unknown>>) {
    this.#key = readFileSync(config['keyFile'] as string);
  }

  async call(target: WebhookTarget, review: object | string, signal?: AbortSignal): Promise<JsonObject> {
    if (target.url === undefined) throw new WebhookError('Unreachable', 'services are not called by this server: name a URL');
    const body = typeof review === 'string' ? review : jsonText(review as JsonObject);
    const answer = await this.#post(target.url, target, body, signal);
    try {
      return parseJson(answer) as JsonObject;
    } catch (error) {
      throw new WebhookError('BadAnswer', 'the answer is not JSON', {cause: error});
    }
  }

  #post(url: string, target: WebhookTarget, body: string, signal?: AbortSignal): Promise<string> {
    const limit = AbortSignal.timeout(target.timeoutMillis);
    const signature = `sha256=${createHmac('sha256', this.#key).update(body).digest('hex')}`;
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        url,
        {
          method: 'POST',
          headers: {'content-type': 'application/json', 'x-signature': signature},
          signal: signal ? AbortSignal.any([signal, limit]) : limit,
          ...(target.caBundle === undefined ? {} : {ca: target.caBundle}),
          ...(target.serverName === undefined ? {} : {servername: target.serverName}),
        },
        (response) => {
          const chunks: Buffer[] = [];
          let length = 0;
          response.on('data', (chunk: Buffer) => {
            length += chunk.length;
            if (length > longestAnswer) request.destroy(new WebhookError('BadAnswer', `the answer has more than ${longestAnswer} bytes`));
            else chunks.push(chunk);
          });
          response.on('end', () => {
            if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString('utf8'));
            else reject(new WebhookError('Refused', `the answer has the status ${response.statusCode}`));
          });
        },
      );
      request.on('error', (error) => {
        if (signal?.aborted) reject(signal.reason as Error);
        else if (limit.aborted) reject(new WebhookError('Timeout', `no answer within ${target.timeoutMillis} ms`));
        else reject(error instanceof WebhookError ? error : new WebhookError('Unreachable', error.message, {cause: error}));
      });
      request.end(body);
    });
  }
}
