import type {Agent} from 'node:http';
import process from 'node:process';
import type {Duplex} from 'node:stream';

// An import of this module would read all its members, and one of them loads the HTTP client behind `fetch`, which is not needed here.
const {Agent: NodeAgent} = process.getBuiltinModule('node:http');

class ConnectionAgent extends NodeAgent {
  readonly #connect: () => Duplex;

  constructor(connect: () => Duplex) {
    super({keepAlive: false});
    this.#connect = connect;
  }

  override createConnection(): Duplex {
    return this.#connect();
  }
}

/** Has HTTP spoken over connections that a function makes: each is for one request. */
export function agentOver(connect: () => Duplex): Agent {
  return new ConnectionAgent(connect);
}
