import type {IncomingMessage, ServerResponse} from 'node:http';
import type {Duplex} from 'node:stream';
import type {ApiObject} from '../objects/api-object.js';

/** The agents of nodes that are part of this server's process: whoever wants something of the kubelet of such a node (logs, `exec`) is led to them instead of to the node's address. */
export interface NodeAgents {
  /** Offers an agent. Answers what takes it back: its connections are closed then. */
  add(agent: NodeAgent): Promise<() => void>;
  /** The agent of a node; undefined for a node that has a kubelet of its own. */
  find(node: Readonly<ApiObject>): ReachableAgent | undefined;
}

/** Answers for kubelets, over HTTP. */
export interface NodeAgent {
  /** Whether it is the one of a node. */
  serves(node: Readonly<ApiObject>): boolean;
  /** A request as a kubelet gets it: `/containerLogs/NAMESPACE/POD/CONTAINER`. Must not throw. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** The same for a request to upgrade the connection, which is handed over. Must not throw. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
}

/** An agent, as callers see it. */
export interface ReachableAgent {
  /** A new connection to it within the process, on which HTTP/1.1 is spoken, without TLS. */
  connect(): Duplex;
}
