<?php

// What a stranger does with the client after its README, whose code stands in readme.php and receiver.php beside this
// file: creates once with one key, lists by the iterator, meets a refusal, and receives what the service really sends.

declare(strict_types=1);

use Recollect\RecollectConflictError;
use Recollect\RecollectRequestError;

require __DIR__ . '/readme.php';

$terms = [
    'amount' => ['value' => 1250, 'currency' => 'GBP'],
    'frequency' => ['type' => 'weekly'],
    'customer' => ['type' => 'user_id', 'value' => $schedule['customer']['id']],
    'description' => 'Second',
];
$one = $recollect->schedules->create($terms, idempotencyKey: 'once');
$again = $recollect->schedules->create($terms, idempotencyKey: 'once');
try {
    $recollect->schedules->create(['description' => 'Third'] + $terms, idempotencyKey: 'once');
    $conflict = null;
} catch (RecollectConflictError $error) {
    $conflict = $error->errorCode;
}
try {
    $recollect->schedules->create(['amount' => ['value' => 0, 'currency' => 'GBP']] + $terms);
    $refusal = null;
} catch (RecollectRequestError $error) {
    $refusal = [$error->status, $error->errorCode, array_keys($error->details), $error->docUrl];
}

$place = '127.0.0.1:' . getenv('RECEIVER_PORT');
$endpoint = $recollect->webhookEndpoints->create(['url' => "http://$place/"]);
putenv("RECOLLECT_WEBHOOK_SECRET={$endpoint['secret']}");
$log = __DIR__ . '/receiver.log';
$command = [PHP_BINARY, '-d', "error_log=$log", '-S', $place, 'receiver.php'];
$server = proc_open($command, [1 => ['file', '/dev/null', 'w'], 2 => ['file', '/dev/null', 'w']], $pipes, __DIR__);
for ($tries = 0; @fsockopen('127.0.0.1', (int) getenv('RECEIVER_PORT')) === false; $tries++) {
    $tries < 1000 || throw new RuntimeException("The receiver does not start: see $log");
    usleep(20_000);
}
$recollect->sandbox->consent($one['id'], ['decision' => 'grant', 'account' => 'alex']);
$recollect->sandbox->advance(['by' => 'P3W']);
proc_terminate($server);
proc_close($server);

$summed = $recollect->payments->list(['limit' => 2, 'sum' => true]);
echo json_encode([
    'isOnce' => $one['id'] === $again['id'],
    'conflict' => $conflict,
    'refusal' => $refusal,
    'received' => array_map(static fn (string $line): string => trim($line), file($log)),
    'total' => $summed->total,
    'sum' => $summed->total_amount,
    'listed' => array_column(iterator_to_array($summed), 'id'),
    'status' => $recollect->schedules->get($one['id'])['status'],
], JSON_THROW_ON_ERROR);
