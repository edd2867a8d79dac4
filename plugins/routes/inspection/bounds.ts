// What answers may hold and take, all in one place.

/** Versions of an object in one answer, and bytes of them. */
export const versions = 100;
export const versionBytes = 1024 * 1024;
/** Histories that are made at once, and those that may wait. */
export const historiesAtOnce = 2;
export const historiesWaiting = 50;

/** Objects of a graph, and ownerships between them. */
export const graphObjects = 500;
export const graphOwnerships = 5000;
/** Objects that are looked at to find them with the references that these have, and how long that may take. */
export const graphLooks = 200_000;
export const graphMillis = 3000;
/** Graphs that are made at once, and those that may wait. */
export const graphsAtOnce = 2;
export const graphsWaiting = 50;

/** Reports of requests: all together, of one user, bytes of all, and for how long they are kept. */
export const reports = 2000;
export const reportsOfUser = 250;
export const reportBytes = 4 * 1024 * 1024;
export const reportMillis = 5 * 60 * 1000;
/** In one list of them. */
export const reportsListed = 200;
/** A request that takes longer is slow. */
export const slowSeconds = 0.5;

/** Characters of a parameter. */
export const parameter = 253;

/** Events of the audit log that are kept, bytes of all, those in one answer; entries of a list in one, and characters of a text. */
export const auditEvents = 1000;
export const auditBytes = 1024 * 1024;
export const auditListed = 200;
export const auditEntries = 20;
export const auditText = 1000;

/** Bytes of a body with expressions and objects. */
export const trialBytes = 1024 * 1024;
/** How deep it may be nested. */
export const bodyDepth = 100;
/** Expressions in one of them, characters of each and of all: what is wrong with them is said with their lines, a hundred times if need be. */
export const trialExpressions = 100;
export const trialText = 20_000;
export const trialTexts = 100_000;
/** Characters of what is said to be wrong with one. */
export const trialFault = 20_000;
/** Steps that all of them may take together, as all expressions about one request may in admission. */
export const trialSteps = 10_000_000;
/** Trials at once, and those that may wait. */
export const trialsAtOnce = 1;
export const trialsWaiting = 20;
/** Characters of a result that is shown. */
export const trialResult = 10_000;
