/** The outcome of some work that must not take longer. @throws Error with `what` when it does; the work goes on */
export async function inTime<T>(what: string, work: Promise<T>, timeoutMillis: number): Promise<T> {
  let timer: NodeJS.Timeout;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${timeoutMillis} ms: ${what}`)), timeoutMillis);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
