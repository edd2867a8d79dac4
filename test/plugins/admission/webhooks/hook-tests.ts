import type {IncomingMessage, ServerResponse} from 'node:http';
import test, {type ExecutionContext} from 'ava';
import type {ServerOptions, TestServer} from '@orch-api/orch/testing';
import {eventually} from '../../../helpers/eventually.js';
import {testOnEachStore, type StoreContext} from '../../../helpers/each-store.js';
import {answer, webhookService, type WebhookService} from '../../../helpers/webhook-service.js';

type Json = Record<string, unknown>;

/** The request of a review, as a webhook gets it. */
export interface ReviewRequest extends Json {
  readonly uid: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: string;
  readonly object: (Json & {metadata: Json & {name: string; labels?: Record<string, string>}}) | null;
  readonly oldObject: (Json & {metadata: Json & {name: string}}) | null;
}

export interface Review extends Json {
  readonly apiVersion: string;
  readonly request: ReviewRequest;
}

/** What a webhook does with a review: the members of `response`, or everything by itself. */
export type HookAnswer = (
  review: Review,
  response: ServerResponse,
  request: IncomingMessage,
) => Json | undefined | Promise<Json | undefined>;

/** A webhook of a test: its definition, less what all have in common, and what it answers. */
export type HookSetting = Json & {readonly name: string; readonly answer?: HookAnswer};

export const group = 'admissionregistration.orch';
const prefix = `/apis/${group}/v1`;
export const pathOf = (kind: HookKind) => `${prefix}/${kind}webhookconfigurations`;
export type HookKind = 'mutating' | 'validating';
const kinds = {mutating: 'MutatingWebhookConfiguration', validating: 'ValidatingWebhookConfiguration'} as const;

const answers = new Map<string, HookAnswer>();
const reviews = new Map<string, Review[]>();
let made = 0;

/** Answers that let a write pass and change its object. */
export const patching = (patch: unknown, more: Json = {}): Json => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  ...more,
});

/** The service of webhooks that all tests of a file share, on a port of its own. */
export class HookService {
  constructor(
    private readonly service: WebhookService,
    readonly context: StoreContext,
    private readonly t: ExecutionContext,
  ) {}

  get url(): string {
    return this.service.url;
  }

  get caBundle(): string {
    return Buffer.from(this.service.ca).toString('base64');
  }

  get connections(): WebhookService['connections'] {
    return this.service.connections;
  }

  /** Reviews that the webhook of this name got, of this test. */
  reviews(name: string): Review[] {
    return reviews.get(this.#key(name)) ?? [];
  }

  /**
   * Makes a configuration whose webhooks are for ConfigMaps in the namespace of the test unless they say otherwise, and waits until it has effect.
   * It is deleted at the end of the test.
   */
  async configure(
    kind: HookKind,
    settings: readonly HookSetting[],
    {name = '', server = this.context.server as TestServer} = {},
  ): Promise<string> {
    const configuration = name || `test-${++made}`;
    const probe = `probe-${made}.example.com`;
    const webhooks = [
      ...settings.map((setting) => this.define(setting)),
      this.define({name: probe, objectSelector: {matchLabels: {probe: configuration}}}),
    ];
    const body = {apiVersion: `${group}/v1`, kind: kinds[kind], metadata: {name: configuration}, webhooks};
    const {client} = server;
    const response = await client.post(pathOf(kind), body);
    if (response.status !== 201) throw new Error(`the configuration: ${response.status} ${response.body.toString()}`);
    this.t.teardown(async () => void (await client.delete(`${pathOf(kind)}/${configuration}`)));
    await this.effective(probe, configuration, server);
    return configuration;
  }

  /** A webhook as configurations have it. */
  define({name, answer: reply = () => ({allowed: true}), ...more}: HookSetting): Json {
    answers.set(this.#key(name), reply);
    return {
      name,
      clientConfig: {url: `${this.url}/${this.#key(name)}`, caBundle: this.caBundle},
      rules: [{operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps']}],
      namespaceSelector: {matchLabels: {'orch/metadata.name': this.context.namespace}},
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    };
  }

  /** Waits until a webhook that is for objects with this label is called. */
  async effective(probe: string, label: string, server: TestServer): Promise<void> {
    const body = {metadata: {generateName: 'probe-', labels: {probe: label}}};
    await eventually(
      async () => {
        await server.client.post(`${this.context.path('configmaps')}?dryRun=All`, body);
        return this.reviews(probe).length;
      },
      (calls) => calls > 0,
    );
  }

  #key(name: string): string {
    return `${this.context.namespace}-${this.context.store}/${name}`;
  }
}

export type HookTest = (title: string, run: (t: ExecutionContext, context: StoreContext, hooks: HookService) => Promise<void>) => void;

/** As `testOnEachStore`, with a real HTTPS service for webhooks. */
export function testHooksOnEachStore(options: ServerOptions = {}): HookTest {
  const cleanup: (() => void | Promise<void>)[] = [];
  let service: WebhookService;
  const eachStore = testOnEachStore(options);
  test.before(async () => {
    service = await webhookService({teardown: (work: () => void | Promise<void>) => void cleanup.push(work)}, serve);
  });
  test.after.always(async () => {
    for (const work of cleanup) await work();
  });
  return (title, run) => eachStore(title, (t, context) => run(t, context, new HookService(service, context, t)));
}

async function serve(body: string, response: ServerResponse, request: IncomingMessage): Promise<void> {
  const key = new URL(request.url!, 'https://hooks').pathname.slice(1);
  const review = JSON.parse(body) as Review;
  const isProbe = review.request.object?.metadata?.labels?.['probe'] !== undefined;
  if (!isProbe || key.includes('/probe-')) {
    if (!reviews.has(key)) reviews.set(key, []);
    reviews.get(key)!.push(review);
  }
  const reply = isProbe ? {allowed: true} : await answers.get(key)?.(review, response, request);
  if (!reply) return;
  const {apiVersion, request: asked} = review;
  answer(response, {apiVersion, kind: 'AdmissionReview', response: {uid: asked.uid, ...reply}});
}
