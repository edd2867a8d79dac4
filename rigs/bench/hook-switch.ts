/**
 * Loaded into a server before everything else (`node --import`): what counts, times and records requests can be taken out of their way and put back while the
 * server runs, by SIGUSR2. Both kinds of rounds then run in one process: two processes differ by more than what is to be measured.
 */
import {registerHooks} from 'node:module';

/** Where the hooks are, in the compiled modules: what stands there, and what takes its place. `OFF` is whether they are out of the way. */
const cuts: readonly (readonly [module: string, from: string, to: string])[] = [
  ['core/http/filters/count-requests.js', 'exchange.whenFinished(', 'OFF || exchange.whenFinished('],
  ['core/http/filters/count-requests.js', 'figures.begin(', 'OFF || figures.begin('],
  ['core/http/filters/log-requests.js', 'if (times)', 'if (times && !OFF)'],
  ['core/http/filters/authenticate.js', 'const now = performance.now();', 'const now = OFF ? 0 : performance.now();'],
  ['core/http/filters/authenticate.js', 'figures.authenticated(', 'OFF || figures.authenticated('],
  ['core/http/filters/authorize.js', 'figures.authorized(decision)', 'OFF || figures.authorized(decision)'],
  ['core/http/filters/share-fairly.js', 'figures.dispatched(', 'OFF || figures.dispatched('],
  ['core/http/filters/share-fairly.js', 'figures.finished(', 'OFF || figures.finished('],
  ['core/registry/admission/admission-chain.js', 'return listener || trace', 'return !OFF && (listener || trace)'],
  ['core/storage/watch/watch-hub.js', 'if (!watchDelay)', 'if (OFF || !watchDelay)'],
  ['core/storage/watch/watch-channel.js', 'const sizes = ', 'const sizes = OFF ? undefined : '],
  ['core/http/handlers/watch-stream.js', 'this.#figures.sent(', 'OFF || this.#figures.sent('],
];

const shared = globalThis as unknown as {hooksAreOff: boolean};
shared.hooksAreOff = false;

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const here = cuts.filter(([module]) => url.endsWith(`/dist/${module}`));
    if (here.length === 0 || loaded.source === undefined) return loaded;
    let text = loaded.source!.toString();
    for (const [module, from, to] of here) {
      const parts = text.split(from);
      // A bench that measures nothing would be content with any server.
      if (parts.length !== 2)
        throw new Error(`${module} has ${JSON.stringify(from)} ${parts.length - 1} times instead of once: see rigs/bench/hook-switch.ts`);
      text = parts.join(to.replaceAll('OFF', 'globalThis.hooksAreOff'));
    }
    return {...loaded, source: text};
  },
});

process.on('SIGUSR2', () => {
  shared.hooksAreOff = !shared.hooksAreOff;
  process.stderr.write(`hooks ${shared.hooksAreOff ? 'off' : 'on'}\n`);
});
