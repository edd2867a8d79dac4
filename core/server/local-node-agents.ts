import type {ApiObject, NodeAgent, NodeAgents, ReachableAgent} from '../../sdk/index.js';
import {LocalConnections} from '../http/local-connections.js';

/** The agents of nodes that the plugins of a server offer. */
export class LocalNodeAgents implements NodeAgents {
  readonly #agents = new Map<NodeAgent, LocalConnections>();

  async add(agent: NodeAgent): Promise<() => void> {
    const connections = new LocalConnections(agent);
    this.#agents.set(agent, connections);
    return () => {
      this.#agents.delete(agent);
      connections.close();
    };
  }

  find(node: Readonly<ApiObject>): ReachableAgent | undefined {
    for (const [agent, connections] of this.#agents) if (agent.serves(node)) return connections;
    return undefined;
  }
}
