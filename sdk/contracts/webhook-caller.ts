/**
 * Makes outbound calls of one kind (admission reviews, conversion reviews, token reviews) to a service of the user's.
 * Contributed by a plugin as a class decorated with `@webhookCaller`.
 */
export interface WebhookCaller {
  /** Sends one review and answers the response's body, parsed. Rejects when the call fails or exceeds the time limit. */
  call(target: WebhookTarget, review: object, signal: AbortSignal): Promise<unknown>;
}

export interface WebhookTarget {
  /** `https` URL, already resolved from a service reference where one was given. */
  readonly url: string;
  /** PEM certificates that the server's certificate must be signed by; the system's roots when absent. */
  readonly caBundle?: string;
  /** Name that the server's certificate must be valid for, when it is not the URL's host. */
  readonly serverName?: string;
  readonly timeoutMillis: number;
}
