/** A straight line through measured points. */
export interface Line {
  readonly fixed: number;
  readonly each: number;
}

/** The line with the least squares of relative deviations: a point of 1,000 servers counts no more than one of 1. */
export function fitLine(points: readonly (readonly [x: number, y: number])[]): Line {
  let weights = 0;
  let xs = 0;
  let ys = 0;
  let xx = 0;
  let xy = 0;
  for (const [x, y] of points) {
    const weight = 1 / y ** 2;
    weights += weight;
    xs += weight * x;
    ys += weight * y;
    xx += weight * x * x;
    xy += weight * x * y;
  }
  const each = (weights * xy - xs * ys) / (weights * xx - xs * xs);
  return {fixed: (ys - each * xs) / weights, each};
}

export function valueAt({fixed, each}: Line, x: number): number {
  return fixed + each * x;
}

/** What the model is made of. Microseconds of one core for each; shares of one core while nothing happens. */
export interface Costs {
  /** Redis: a write that so many servers are told, when somebody asks each of them for its type, and when nobody does. */
  readonly redisAsked: Line;
  readonly redisUnasked: Line;
  /** Redis while nothing is written: share of a core by servers. */
  readonly redisIdle: Line;
  /** A server that does the write itself. */
  readonly write: number;
  /** A server that is told of it. */
  readonly followed: number;
  readonly unfollowed: number;
  readonly event: number;
}

/** So many servers on one Redis. */
export interface Plan {
  readonly servers: number;
  /** Watches of the type that is written, over all servers. */
  readonly watches: number;
  /** How many servers somebody asks for the type; watches are on these. */
  readonly asked: number;
}

/** How many writes a second each part can carry before it has used its share of a core. */
export interface Limits {
  readonly redis: number;
  /** A server that answers its even share of the writes, follows the rest, and has its share of the watches. */
  readonly server: number;
  /** What ends first. */
  readonly first: 'redis' | 'server';
  readonly writes: number;
  /** Share of a core that Redis uses while nothing is written. */
  readonly redisIdle: number;
}

/** How much of a core may be busy in the long run: above it, what waits grows faster than it is worked on. */
export const usableShare = 0.7;

/** What breaks first, and at how many writes a second. */
export function limitsOf(costs: Costs, {servers, watches, asked}: Plan): Limits {
  const redisIdle = Math.max(0, valueAt(costs.redisIdle, servers));
  const redisPerWrite = valueAt(costs.redisAsked, asked) + costs.redisUnasked.each * (servers - asked);
  const redis = (Math.max(0, usableShare - redisIdle) * 1e6) / redisPerWrite;
  const followedBy = asked > 0 ? costs.followed : costs.unfollowed;
  const perServer = costs.write / servers + followedBy * (1 - 1 / servers) + (asked > 0 ? (costs.event * watches) / asked : 0);
  const server = (usableShare * 1e6) / perServer;
  return {redis, server, first: redis < server ? 'redis' : 'server', writes: Math.min(redis, server), redisIdle};
}
