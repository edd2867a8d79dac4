/** The part of restify 12 that this project uses; the package has no types of its own. */
declare module 'restify/lib/server.js' {
  import type {EventEmitter} from 'node:events';
  import type {Server as NodeServer} from 'node:http';
  import type {ServerOptions} from 'node:https';

  interface RestifyServerOptions {
    readonly name: string;
    /** Handed to restify's own handlers. */
    readonly log: object;
    /** Emits `mount` for each route; finds the route of a request that no `first` handler has taken over. */
    readonly router: EventEmitter;
    /** Without them it listens without TLS. */
    readonly httpsServerOptions?: ServerOptions;
    readonly handleUncaughtExceptions: boolean;
  }

  export default class RestifyServer extends EventEmitter {
    constructor(options: RestifyServerOptions);
    readonly server: NodeServer;
    /** Registers a function that sees every request first; one that answers false has taken it over. */
    first(handler: (request: unknown, response: unknown) => boolean): this;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }
}
