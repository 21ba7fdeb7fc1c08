<?php

// Loads the client where there is no Composer.

declare(strict_types=1);

foreach (['Errors', 'Page', 'Retries', 'Secret', 'Transport', 'Api', 'Recollect', 'Webhooks'] as $name) {
    require_once __DIR__ . "/src/$name.php";
}
