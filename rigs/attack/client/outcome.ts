/**
 * A status that the server answers; `cut`: it closed or refused the connection; `held`: the connection was open to the end of the attack
 * without an answer.
 */
export type Outcome = number | 'cut' | 'held';
