export {CronJobStrategy} from './cron-job-strategy.js';
export {JobStrategy} from './job-strategy.js';
