/** The part of restify 12 that this project uses; the package has no types of its own. */
declare module 'restify' {
  import type {EventEmitter} from 'node:events';
  import type {Server as NodeServer} from 'node:http';
  import type {ServerOptions} from 'node:https';

  interface Server extends EventEmitter {
    readonly server: NodeServer;
    /** Registers a function that sees every request first; one that answers false has taken it over. */
    first(handler: (request: unknown, response: unknown) => boolean): Server;
    listen(port: number, host: string, done: () => void): void;
    close(done: () => void): void;
  }

  const restify: {
    createServer(options: {name: string; httpsServerOptions: ServerOptions; handleUncaughtExceptions: boolean}): Server;
  };
  export default restify;
  export type {Server};
}
