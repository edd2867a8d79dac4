import {pathNotFound, WebhookError, type Route} from '../../../sdk/index.js';
import {webhookStatus} from '../../registry/store-errors.js';
import type {AuthenticatedExchange, ResolvedExchange} from '../request/stages.js';
import {setFlowHeaders} from '../response/respond.js';

/** A plugin's route with the paths and methods that its manifest names. */
export interface RegisteredRoute {
  readonly path: string;
  readonly methods: readonly string[];
  /** Whether its answers last, without the deadline of requests. */
  readonly longRunning?: boolean | undefined;
  /** Whether everybody may ask for it. */
  readonly isPublic?: boolean | undefined;
  /** Whose it is; absent for a route of the server itself. */
  readonly plugin?: string;
  readonly instance: Route;
}

const noRoute = {isLasting: false, isPublic: false};

/** Serves the paths that plugins contribute. The longest matching path wins. */
export class PluginRoutes {
  readonly #routes: readonly RegisteredRoute[];

  constructor(routes: readonly RegisteredRoute[]) {
    this.#routes = [...routes].sort((a, b) => b.path.length - a.path.length);
  }

  /** The route of a request, or undefined. */
  find({path, method}: ResolvedExchange): RegisteredRoute | undefined {
    return this.#routes.find((route) => route.methods.includes(method) && matches(route.path, path));
  }

  /** What the route of a request says about it: whether it may last as long as it likes, and whether everybody may send it. */
  describe(exchange: ResolvedExchange): {readonly isLasting: boolean; readonly isPublic: boolean} {
    const route = this.find(exchange);
    if (!route) return noRoute;
    const upgrades = exchange.upgrade !== undefined && route.instance.upgrade !== undefined;
    return {isLasting: route.longRunning === true || upgrades, isPublic: route.isPublic === true};
  }

  async serve(route: RegisteredRoute, exchange: AuthenticatedExchange): Promise<void> {
    setFlowHeaders(exchange);
    const {method, path, query, user, signal, request: incoming, response} = exchange;
    const {instance} = route;
    const request = {method, path, query, user, signal, incoming};
    try {
      if (exchange.upgrade && instance.upgrade)
        return await exchange.handOver(({socket, head}) => instance.upgrade!(request, socket, head));
      await instance.handle(request, response);
    } catch (error) {
      if (WebhookError.is(error)) throw webhookStatus(error, `the route ${route.path} of the plugin ${route.plugin}`);
      throw error;
    }
    if (!exchange.response.headersSent) throw pathNotFound();
  }
}

/** A path may end in a slash: clients generated from the OpenAPI of Kubernetes request `/openid/v1/jwks/`. */
function matches(pattern: string, path: string): boolean {
  return pattern.endsWith('/*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern || path === `${pattern}/`;
}
