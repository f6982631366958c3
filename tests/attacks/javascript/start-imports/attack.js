// Tries to name files outside as imports of its package. Safe: 0, crashed.
import text from '#secret';
console.log('harm:', text);
