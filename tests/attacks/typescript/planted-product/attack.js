console.log(761995);
