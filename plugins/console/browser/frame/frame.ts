import type {ConsoleView, ViewClient, ViewTarget} from '../../../../sdk/types/console-view.js';

/** What the console says to begin with. */
export interface FrameBegin {
  readonly module: string;
  readonly namespace: string;
  readonly theme: 'light' | 'dark';
}

/** What a view wants of the console, with a number that its answer has too. */
export interface FrameCall {
  readonly id: number;
  readonly action: string;
  readonly target: ViewTarget;
  readonly body?: object;
}

export interface FrameAnswer {
  readonly id: number;
  readonly answer?: unknown;
  readonly error?: string;
}

addEventListener('message', (event: MessageEvent<FrameBegin>) => {
  const [port] = event.ports;
  if (event.source === parent && port) void begin(event.data, port);
});

/** Shows the view of a plugin in a frame that has an origin of its own: no cookie, no storage, no request of the console's is within its reach. */
async function begin({module, namespace, theme}: FrameBegin, port: MessagePort): Promise<void> {
  const waiting = new Map<number, {resolve(answer: unknown): void; reject(error: Error): void}>();
  let calls = 0;
  port.onmessage = ({data: {id, answer, error}}: MessageEvent<FrameAnswer>) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(answer);
    else call?.reject(new Error(error));
  };
  const ask = (action: string, target: ViewTarget, body?: object) =>
    new Promise<unknown>((resolve, reject) => {
      calls += 1;
      waiting.set(calls, {resolve, reject});
      port.postMessage({id: calls, action, target, body} satisfies Partial<FrameCall>);
    });
  const client: ViewClient = {
    get: (target) => ask('get', target),
    create: (target, object) => ask('create', target, object),
    update: (target, object) => ask('update', target, object),
    patch: (target, patch) => ask('patch', target, patch),
    delete: (target) => ask('delete', target),
  };
  const root = document.querySelector<HTMLElement>('#view')!;
  document.documentElement.dataset['theme'] = theme;
  try {
    const {default: show} = (await import(/* @vite-ignore */ module)) as {default: ConsoleView<HTMLElement>};
    await show({root, client, namespace, theme, open: (target) => port.postMessage({id: 0, action: 'open', target} satisfies FrameCall)});
  } catch (error) {
    root.textContent = `The view cannot be shown: ${(error as Error).message}`;
  }
}
